/** Tests of the studio in a real browser; all share one server and one browser. */

import "./boards.mjs";
import "./play.mjs";
import "./newcomer.mjs";
import "./navigation.mjs";
import "./think.mjs";
import "./proof.mjs";
import "./files.mjs";
import "./problem.mjs";
import "./look.mjs";
