//! The language of a file, told by the ending of its name.

/// The language's name; `other` where the ending tells none.
pub(crate) fn language(path: &str) -> &'static str {
    let ending = extension(path).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "py" | "pyi" => "Python",
        "js" | "mjs" | "cjs" | "jsx" => "JavaScript",
        "ts" | "mts" | "cts" | "tsx" => "TypeScript",
        "sh" | "bash" | "zsh" => "Shell",
        "json" => "JSON",
        "yaml" | "yml" => "YAML",
        "toml" | "cfg" | "ini" => "Configuration",
        "md" | "rst" | "txt" => "Text",
        "go" | "mod" | "sum" => "Go",
        "php" => "PHP",
        "rb" | "gemspec" => "Ruby",
        "java" => "Java",
        "kt" | "kts" => "Kotlin",
        "cs" => "C#",
        "c" | "h" => "C",
        "rs" => "Rust",
        "html" | "css" | "xml" | "svg" => "Markup",
        "sql" => "SQL",
        _ => "other",
    }
}

/// The last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What follows the last dot of the file's name, if it has one.
pub(crate) fn extension(path: &str) -> Option<&str> {
    file_name(path).rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_go_by_the_ending_of_the_file_name() {
        assert_eq!(language("a.d/b.PY"), "Python");
        assert_eq!(language("a.py/b"), "other");
        assert_eq!(language(".sh"), "Shell");
    }
}
