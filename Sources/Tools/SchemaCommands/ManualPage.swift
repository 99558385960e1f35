/// The manual page in roff format.
enum ManualPage {
  static func text(_ verbs: [any Verb.Type], version: String) -> String {
    var lines = [
      ".TH TRELLIS 1 \"\" \"trellis \(version)\" \"User Commands\"", ".SH NAME",
      "trellis \\- check, compare, release and draw schemas of SwiftData models", ".SH SYNOPSIS",
      ".B trellis", ".I VERB", "[options] [PATH\\&.\\&.\\&.]", ".SH DESCRIPTION",
      "Without a path, a verb uses the schema files below the current folder. "
        + "Lint rules are configured in the nearest", ".IR schema.config.json .", ".SH VERBS",
    ]
    for verb in verbs { lines += [".TP", ".B \(verb.name)", escaped(verb.summary)] }
    for verb in verbs {
      lines += [".SH \(verb.name.uppercased())", ".nf"]
      lines += verb.help.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
      while lines.last == "" { lines.removeLast() }
      lines.append(".fi")
    }
    lines.append(".SH EXIT STATUS")
    for (code, text) in statuses { lines += [".TP", ".B \(code)", text] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let statuses = [
    ("0", "Success."), ("1", "Findings, or an unexpected difference."),
    ("2", "Wrong usage, a missing file, or an unreadable configuration."),
    ("3", "A schema does not parse or resolve; dependent work was skipped."),
    ("70", "Internal error."),
  ]

  /// Escapes backslashes, hyphens, and a period or apostrophe at the start of a line.
  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
