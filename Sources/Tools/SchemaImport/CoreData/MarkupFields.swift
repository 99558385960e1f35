/// Reads an element's attributes and records the names. Attributes that were not read are reported as unknown.
struct MarkupFields {
  let element: MarkupElement
  private var taken: Set<String> = []
  private var children: Set<String> = []

  init(_ element: MarkupElement) { self.element = element }

  /// Returns an attribute value; nil if the value is missing or empty.
  mutating func text(_ name: String) -> String? {
    taken.insert(name)
    guard let value = element[name], !value.isEmpty else { return nil }
    return value
  }

  mutating func flag(_ name: String, default value: Bool = false) -> Bool {
    text(name).map { ["YES", "TRUE", "1"].contains($0.uppercased()) } ?? value
  }

  mutating func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// Ignores attributes that do not describe data.
  mutating func ignore(_ names: String...) { taken.formUnion(names) }

  mutating func elements(_ name: String) -> [MarkupElement] {
    children.insert(name)
    return element.children(name)
  }

  mutating func identity() -> CoreDataIdentity {
    let written = text("elementID")
    let handwritten = text("renamingIdentifier")
    var identity = CoreDataIdentity(
      renaming: written ?? handwritten, isHandwritten: written == nil && handwritten != nil,
      hashModifier: text("versionHashModifier"))
    // Xcode writes this identifier even if nothing was renamed.
    if identity.renaming == element["name"] { identity.renaming = nil }
    return identity
  }

  /// Reads `<userInfo><entry key="…" value="…"/></userInfo>`.
  mutating func userInfo() -> [CoreDataNamed] {
    elements("userInfo").flatMap { $0.children("entry") }.map {
      CoreDataNamed(name: $0["key"] ?? "", detail: $0["value"] ?? "", line: $0.line)
    }
  }

  /// Attributes and elements that were not read.
  var unknown: [CoreDataUnknown] {
    element.attributes.filter { !taken.contains($0.name) }.map {
      CoreDataUnknown(what: "attribute '\($0.name)' of '\(element.name)'", line: element.line)
    }
      + element.children.filter { !children.contains($0.name) }.map {
        CoreDataUnknown(what: "element '\($0.name)' in '\(element.name)'", line: $0.line)
      }
  }
}
