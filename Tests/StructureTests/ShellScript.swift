/// The external commands that a Bash script calls: the first word of each command, unless it is a keyword, a builtin, a
/// function of the script or a variable.
struct ShellScript {
  private let text: [Character]
  private var index = 0
  private var called: Set<String> = []
  private var functions: Set<String> = []
  /// The delimiters of here-documents that start in the next line.
  private var documents: [String] = []

  static func commands(in text: String) -> Set<String> {
    var script = ShellScript(text: Array(text))
    script.readList(inside: false)
    return script.called.subtracting(script.functions).subtracting(builtins)
  }

  /// The functions that a script declares.
  static func functions(in text: String) -> Set<String> {
    var script = ShellScript(text: Array(text))
    script.readList(inside: false)
    return script.functions
  }

  private init(text: [Character]) { self.text = text }

  private static let builtins: Set<String> = [
    ":", ".", "[", "break", "cd", "command", "continue", "declare", "echo", "eval", "exec", "exit", "export", "false",
    "hash", "kill", "local",
    "printf", "pwd", "read", "readonly", "return", "set", "shift", "shopt", "source", "test", "times", "trap",
    "true", "type", "umask", "unset", "wait",
  ]
  /// The words before another command.
  private static let prefixes: Set<String> = ["if", "then", "else", "elif", "do", "while", "until", "time", "!", "{"]
  /// Commands that run another command. Most of them are functions of the scripts.
  private static let wrappers: Set<String> = ["exec", "env", "as_root", "show", "show_failing", "toolchain"]

  private var current: Character? { index < text.count ? text[index] : nil }
  private func follows(_ word: String) -> Bool { text[index...].starts(with: word) }

  /// Parses commands up to the end or the closing parenthesis.
  private mutating func readList(inside: Bool) {
    var expectsCommand = true
    var isWrapped = false
    // The number of open `case` statements.
    var cases = 0
    while let character = current {
      if character == "\\" {
        index += 2
      } else if character == "\n" {
        index += 1
        skipDocuments()
        (expectsCommand, isWrapped) = (true, false)
      } else if character == " " || character == "\t" {
        index += 1
      } else if character == "#" {
        while current.map({ $0 != "\n" }) == true { index += 1 }
      } else if follows(";;") {
        index += 2
        if cases > 0 { skipPattern(&cases) }
        expectsCommand = true
      } else if follows("((") {
        skip(through: "))")
        expectsCommand = false
      } else if follows("[[ ") {
        skip(through: " ]]")
        expectsCommand = false
      } else if character == "<" || character == ">" {
        readRedirection()
      } else if character == ")" {
        index += 1
        if inside { return }
        expectsCommand = true
      } else if ";&|(".contains(character) {
        index += 1
        (expectsCommand, isWrapped) = (true, false)
      } else {
        let word = readWord()
        if follows("()") {
          functions.insert(word)
          index += 2
        } else if !expectsCommand || word.allSatisfy(\.isNumber) && (current == ">" || current == "<") {
          continue
        } else if Self.prefixes.contains(word) || Self.isAssignment(word) || isWrapped && word.hasPrefix("-") {
          continue
        } else if word == "for" {
          while let next = current, next != "\n" && next != ";" { index += 1 }
        } else if word == "case" {
          skip(through: " in")
          cases += 1
          skipPattern(&cases)
        } else {
          isWrapped = Self.wrappers.contains(word)
          expectsCommand = isWrapped
          // A computed name is that of a built program, and a path is that of another script.
          if !word.contains("$"), !word.contains("/"), !["fi", "done", "esac", "}"].contains(word) {
            called.insert(word)
          }
        }
      }
    }
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let equals = word.firstIndex(of: "=") else { return false }
    return word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "+" }
  }

  private mutating func skip(through end: String) {
    while index < text.count, !follows(end) { index += 1 }
    index = min(index + end.count, text.count)
  }

  /// Skips the pattern of a `case` clause, or the end of the statement.
  private mutating func skipPattern(_ cases: inout Int) {
    while let character = current, character.isWhitespace { index += 1 }
    if current == "#" {
      skip(through: "\n")
      return skipPattern(&cases)
    }
    if follows("esac") {
      index += 4
      cases -= 1
      return
    }
    while let character = current, character != ")" {
      if character == "\"" || character == "'" { _ = readWord() } else { index += character == "\\" ? 2 : 1 }
    }
    index += 1
  }

  private mutating func readRedirection() {
    if follows("<<<") {
      index += 3
    } else if follows("<<") {
      index += 2
      documents.append(readWord())
      return
    } else {
      while let character = current, "<>&|".contains(character) { index += 1 }
    }
    while current == " " { index += 1 }
    // A process substitution.
    if current == "(" {
      index += 1
      readList(inside: true)
    } else {
      _ = readWord()
    }
  }

  private mutating func skipDocuments() {
    for end in documents {
      while index < text.count {
        let line = String(text[index...].prefix { $0 != "\n" })
        index += line.count + 1
        if line == end { break }
      }
    }
    documents = []
  }

  /// Parses a word with its quotes, and the commands in `$(…)`.
  private mutating func readWord() -> String {
    var word = ""
    var isQuoted = false
    while let character = current {
      if character == "\\" {
        index += 2
      } else if character == "'", !isQuoted {
        let start = index + 1
        index = start
        skip(through: "'")
        word += String(text[min(start, index)..<max(start, index - 1)])
      } else if character == "\"" {
        isQuoted.toggle()
        index += 1
      } else if follows("$((") {
        skip(through: "))")
        word += "$"
      } else if follows("$(") {
        index += 2
        readList(inside: true)
        word += "$"
      } else if follows("${") {
        skip(through: "}")
        word += "$"
      } else if !isQuoted, character == "(", word.hasSuffix("=") {
        // The values of an array.
        index += 1
        while let next = current, next != ")" { if next.isWhitespace { index += 1 } else { _ = readWord() } }
        index += 1
        return word
      } else if !isQuoted, character.isWhitespace || ";&|()<>".contains(character) {
        break
      } else {
        word.append(character)
        index += 1
      }
    }
    return word
  }
}
