/// A proposed text, as the client receives it.
struct CompletionItem: Encodable, Equatable {
  enum Kind: Int, Encodable {
    case `class` = 7
    case property = 10
    case value = 12
    case enumeration = 13
    case keyword = 14
    case snippet = 15
    case enumMember = 20
    case structure = 22
  }

  var label: String
  var kind: Kind
  var detail: String?
  /// The text to insert, with all punctuation; nil for the label.
  var insertText: String?
  /// 2 for a snippet with placeholders.
  var insertTextFormat: Int?
  /// The word that the client compares with the word before the cursor; nil for the label.
  var filterText: String?
  /// Clients sort items by this text, so that the order is the server's.
  var sortText: String?

  static func snippet(_ label: String, _ text: String, _ detail: String, filter: String? = nil) -> Self {
    Self(label: label, kind: .snippet, detail: detail, insertText: text, insertTextFormat: 2, filterText: filter)
  }

  /// Returns the item as it is sent, or nil if it does not begin with the punctuation that is already written.
  ///
  /// Clients replace the word before the cursor, and keep the punctuation before that word.
  func sent(behind typed: String, snippets: Bool) -> Self? {
    var item = self
    if insertTextFormat != nil, !snippets {
      item.insertText = plainText
      item.insertTextFormat = nil
    }
    let text = item.insertText ?? label
    let written = item.insertTextFormat == nil ? typed : typed.replacing("\\", with: "\\\\")
    guard text.hasPrefix(written) else { return nil }
    if label.hasPrefix(typed) { item.label = String(label.dropFirst(typed.count)) }
    let rest = String(text.dropFirst(written.count))
    item.insertText = rest == item.label ? nil : rest
    let word = filterText ?? String(label.drop { "@#.\\[".contains($0) })
    item.filterText = word == item.label ? nil : word
    return item
  }

  /// A snippet's text up to the first placeholder, on one line.
  private var plainText: String? {
    insertText.map { text in
      String(text.prefix { $0 != "$" }).replacing("\\\\", with: "\\").replacing("\n", with: " ")
    }
  }
}
