//! The character encodings of SGF files.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Decodes an SGF file.
///
/// The property `CA` of the first game names the encoding. Without it, or with an unknown name, a
/// file that is valid UTF-8 is UTF-8, and any other Latin-1 (as windows-1252, its superset), the
/// default of SGF. Decoding never fails; characters that the encoding does not have are replaced.
pub fn decode(bytes: &[u8]) -> String {
    let named = charset(bytes).and_then(Encoding::for_label).filter(|named| *named != UTF_8);
    let encoding = match named {
        Some(named) => named,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    encoding.decode(bytes).0.into_owned()
}

/// Returns the value of the first property `CA`. Names of encodings are ASCII, which all encodings
/// in use for SGF contain.
fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let is_property = |at: usize| at == 0 || !bytes[at - 1].is_ascii_alphabetic();
    let at = (0..bytes.len().min(SEARCHED)).find(|&at| bytes[at..].starts_with(b"CA[") && is_property(at))?;
    let value = &bytes[at + 3..];
    Some(value[..value.iter().position(|&byte| byte == b']')?].trim_ascii())
}

/// The property is among the first of a file. Raising it finds it after longer comments.
const SEARCHED: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_property_names_the_encoding() {
        let named = |charset: &str, name: &[u8]| {
            let mut bytes = format!("(;GM[1]CA[{charset}]PB[").into_bytes();
            bytes.extend(name);
            bytes.extend(b"])");
            decode(&bytes)
        };
        assert!(named("Shift_JIS", &[0x96, 0x7b]).contains("PB[\u{672c}]"));
        assert!(named("GB2312", &[0xb1, 0xbe]).contains("PB[\u{672c}]"));
        assert!(named("iso-8859-1", &[0xfc]).contains("PB[\u{fc}]"));
        assert!(named("UTF-8", "\u{fc}".as_bytes()).contains("PB[\u{fc}]"));
        // Wrong or unknown names.
        assert!(named("UTF-8", &[0xfc]).contains("PB[\u{fc}]"));
        assert!(named("klingon", &[0xfc]).contains("PB[\u{fc}]"));
    }

    #[test]
    fn without_the_property_a_file_is_utf_8_or_latin_1() {
        assert_eq!(decode("(;PB[\u{672c}])".as_bytes()), "(;PB[\u{672c}])");
        assert_eq!(decode(b"(;PB[M\xfcller])"), "(;PB[M\u{fc}ller])");
    }
}
