import Foundation

/// Chooses a type for a column from the declared type, the name and the actual values.
struct ColumnTyping {
  let name: String
  let declared: String
  let values: ValueScan.Column
  /// True for primary and foreign key columns.
  let isKey: Bool

  private enum StorageClass { case number, text, blob }

  func type(_ choices: CheckConstraint.Choices?) -> ForeignType {
    switch choices {
    case .texts(let texts): return .choice(texts: texts)
    case .integers(let numbers) where Set(numbers) != [0, 1]: return .choiceOfIntegers(numbers)
    case .integers, nil: break
    }
    if isUUID { return .uuid }
    if isBoolean { return .boolean }
    let isNumeric = values.counts.blobs == 0 && values.counts.texts == values.numberTexts
    if isNumeric, ["DECIMAL", "NUMERIC", "MONEY", "CURRENCY"].contains(where: word.contains) { return .decimal }
    switch storage {
    case .text: return .text
    case .blob: return .data
    case .number: return values.counts.reals > 0 || isDeclaredReal ? .real : .integer
    }
  }

  private var word: String { declared.uppercased() }
  private var filled: Int64 { values.counts.total - values.counts.nulls }
  private var isDeclaredReal: Bool { ["REAL", "FLOA", "DOUB"].contains { word.contains($0) } && !word.contains("INT") }

  /// The declared class if a value has it or the column is empty, otherwise the most frequent class.
  private var storage: StorageClass {
    let counts = values.counts
    let numbers = counts.integers + counts.reals
    let declared: StorageClass? =
      if word.contains("INT") {
        .number
      } else if ["CHAR", "CLOB", "TEXT", "STRING", "JSON"].contains(where: word.contains) {
        .text
      } else if word.contains("BLOB") {
        .blob
      } else if isDeclaredReal {
        .number
      } else {
        nil
      }
    switch declared {
    case .number where numbers > 0: return .number
    case .text where counts.texts > 0: return .text
    case .blob where counts.blobs > 0: return .blob
    default: break
    }
    if filled == 0 { return declared ?? (word.isEmpty ? .blob : isDeclaredDate ? .text : .number) }
    if counts.texts >= numbers, counts.texts >= counts.blobs { return .text }
    return numbers >= counts.blobs ? .number : .blob
  }

  private var isUUID: Bool {
    let isDeclared = word.contains("UUID") || word.contains("GUID")
    guard filled > 0 else { return isDeclared }
    let words = NameWords.split(name).map { $0.lowercased() }
    let isNamed = isKey || words.contains { ["id", "uuid", "guid"].contains($0) }
    if values.uuidTexts == filled { return isDeclared || isNamed }
    if values.uuidBlobs == filled, values.counts.blobs == filled { return isDeclared || isNamed }
    let isWide = word.replacing(" ", with: "").contains("CHAR(32)") || words.contains("uuid")
    return values.hexTexts == filled && (isDeclared || isWide && isNamed)
  }

  private var isBoolean: Bool {
    guard values.counts.integers == filled, filled == 0 || (values.smallestInteger >= 0 && values.largestInteger <= 1)
    else { return false }
    if word.contains("BOOL") || word == "BIT" || word.replacing(" ", with: "").contains("TINYINT(1)") { return true }
    // If no Boolean type is declared, only the name distinguishes a flag from a small number.
    let flags: Set<String> = ["is", "has", "can", "should", "was", "allows", "needs", "enabled", "flag"]
    let first = NameWords.split(name).first?.lowercased() ?? ""
    return filled > 0 && word.contains("INT") && !isKey && flags.contains(first)
  }

  // MARK: dates

  private var isDeclaredDate: Bool { word.contains("DATE") || word.contains("TIME") }

  private var isNamedDate: Bool {
    let hints: Set<String> = [
      "date", "time", "timestamp", "datetime", "created", "updated", "modified", "deleted", "at", "expires", "expiry",
      "birthday", "birth", "due", "joined", "published", "scheduled", "started", "ended", "finished", "completed",
      "seen", "visited",
    ]
    return NameWords.split(name).contains { hints.contains($0.lowercased()) }
  }

  /// Possible date forms, most likely first.
  var dateForms: [DateForm] {
    guard filled > 0 else { return [] }
    if values.counts.texts == filled { return values.isoDates == filled ? [.iso] : [] }
    guard values.counts.integers + values.counts.reals == filled, isDeclaredDate || isNamedDate else { return [] }
    let low = min(values.counts.integers > 0 ? Double(values.smallestInteger) : .infinity, values.smallestReal)
    let high = max(values.counts.integers > 0 ? Double(values.largestInteger) : -.infinity, values.largestReal)
    func isWithin(_ range: ClosedRange<Double>) -> Bool { range.contains(low) && range.contains(high) }
    var forms: [DateForm] = []
    // From 1990 to 2100.
    if isWithin(631_152_000...4_102_444_800) { forms.append(.unix) }
    if isWithin(631_152_000_000...4_102_444_800_000) { forms.append(.milliseconds) }
    // From 1900 to 2130.
    if isWithin(2_415_020...2_500_000) { forms.append(.julian) }
    // From 2001 to 2050, with at least one date after 2003.
    if isWithin(0...1_577_836_800), high >= 94_694_400 {
      // Foundation's dates usually have fractions.
      forms.insert(.since2001, at: values.counts.reals > 0 && !values.hasWholeReals ? 0 : forms.count)
    }
    return forms
  }
}

/// Splits names such as `created_at`, `createdAt`, `CREATED-AT` and `HTTPServer` into words.
package enum NameWords {
  package static func split(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      guard letter.isLetter || letter.isNumber else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      let before = index > 0 ? letters[index - 1] : nil
      let after = index + 1 < letters.count ? letters[index + 1] : nil
      let startsWord =
        letter.isUppercase
        && (before?.isLowercase ?? false || before?.isNumber ?? false
          || before?.isUppercase ?? false && after?.isLowercase ?? false)
      if startsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word.append(letter)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
