//! Files are written completely or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tesuji_catalog::{can_replace_file, replace_file, replace_file_with};

/// Returns the names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    replace_file(&file, "old").unwrap();
    let failed = replace_file_with(&file, |out| {
        out.write_all(b"new")?;
        Err(io::Error::other("the disk is full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    replace_file(&file, "new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(names(folder.path()), ["kept"], "temporary files are removed");
}

#[test]
fn what_cannot_be_written_is_known_before() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(can_replace_file(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    assert!(replace_file(folder.path(), "x").is_err());
    assert!(can_replace_file(&folder.path().join("missing/file")).is_err());
    can_replace_file(&folder.path().join("file")).unwrap();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices_are_kept() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    replace_file(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    replace_file(&link, "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let null = Path::new("/dev/null");
    can_replace_file(null).unwrap();
    replace_file(null, "gone").unwrap();
    assert!(fs::metadata(null).unwrap().file_type().is_char_device());
}
