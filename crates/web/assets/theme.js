// The theme, applied before the first paint: the choice of the user, or else that of the system.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | null} */
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  const apply = () => (root.dataset.theme = chosen ?? (dark.matches ? "dark" : "light"));
  apply();
  dark.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      chosen = root.dataset.theme === "dark" ? "light" : "dark";
      apply();
      try {
        localStorage.setItem("theme", chosen);
      } catch {
        // As above.
      }
    });
  });
})();
