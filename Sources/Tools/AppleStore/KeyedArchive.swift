/// A keyed archive's object graph. Objects are read on request, so the caller decides how far to follow references.
package struct KeyedArchive: Sendable {
  private let list: BinaryPropertyList
  /// The property list index for each archived object.
  private let objects: [Int]
  /// Dictionary fields by property list index.
  private let fields: [Int: [String: Int]]
  private let rootNumber: Int

  package init(_ bytes: [UInt8]) throws(AppleStoreProblem) { try self.init(BinaryPropertyList(bytes)) }

  package init(_ list: BinaryPropertyList) throws(AppleStoreProblem) {
    guard let archiver = list.value("$archiver", of: list.top), list[archiver] == .text("NSKeyedArchiver"),
      let table = list.value("$objects", of: list.top), case .list(let objects)? = list[table],
      let top = list.value("$top", of: list.top)
    else { throw AppleStoreProblem("the property list is not a keyed archive") }
    guard let root = list.value("root", of: top), case .uid(let number)? = list[root] else {
      throw AppleStoreProblem("the keyed archive has no root object")
    }
    self.list = list
    self.objects = objects
    rootNumber = number
    fields = Self.fields(of: list)
  }

  /// Ignores keys longer than any field name, because hashing a shared long key for each dictionary could take hours.
  private static func fields(of list: BinaryPropertyList) -> [Int: [String: Int]] {
    var fields: [Int: [String: Int]] = [:]
    for (index, object) in list.objects.enumerated() {
      guard case .dictionary(let keys, let values) = object else { continue }
      var own: [String: Int] = [:]
      for (key, value) in zip(keys, values) {
        guard case .text(let name)? = list[key], name.utf8.count <= 256, own[name] == nil else { continue }
        own[name] = value
      }
      fields[index] = own
    }
    return fields
  }

  private func field(_ key: String, of index: Int) -> Int? { fields[index]?[key] }

  package var root: ArchivedValue { object(rootNumber) }

  private func object(_ number: Int) -> ArchivedValue {
    guard objects.indices.contains(number) else { return .none }
    let index = objects[number]
    guard case .dictionary? = list[index] else {
      if list[index] == .text("$null") { return .none }
      return scalar(index)
    }
    guard let reference = field("$class", of: index), case .uid(let classNumber)? = list[reference],
      objects.indices.contains(classNumber),
      let name = field("$classname", of: objects[classNumber]), case .text(let className)? = list[name]
    else { return .none }
    return simplified(ArchivedObject(number: number, className: className, index: index))
  }

  /// Returns the value of a string, date or number object, otherwise the object.
  private func simplified(_ object: ArchivedObject) -> ArchivedValue {
    switch object.className {
    case "NSString", "NSMutableString":
      if let index = field("NS.string", of: object.index) { return scalar(index) }
    case "NSData", "NSMutableData":
      if let index = field("NS.data", of: object.index) { return scalar(index) }
    case "NSDate":
      if let index = field("NS.time", of: object.index), case .real(let time) = scalar(index) {
        return .date(time)
      }
    default: break
    }
    return .object(object)
  }

  private func scalar(_ index: Int) -> ArchivedValue {
    switch list[index] {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .date(let value): .date(value)
    case .data(let value): .data(value)
    case .text(let value): .text(value)
    case .null, .uid, .list, .dictionary, nil: .none
    }
  }

  private func value(at index: Int) -> ArchivedValue {
    guard case .uid(let number)? = list[index] else { return scalar(index) }
    return object(number)
  }

  // MARK: - Fields

  package func value(_ key: String, of object: ArchivedObject) -> ArchivedValue {
    field(key, of: object.index).map(value(at:)) ?? .none
  }

  package func text(_ key: String, of object: ArchivedObject) -> String? {
    guard case .text(let text) = value(key, of: object) else { return nil }
    return text
  }

  package func integer(_ key: String, of object: ArchivedObject) -> Int? { value(key, of: object).integer }

  package func flag(_ key: String, of object: ArchivedObject) -> Bool { value(key, of: object).flag }

  package func child(_ key: String, of object: ArchivedObject) -> ArchivedObject? { value(key, of: object).object }

  /// An object's field names.
  package func keys(of object: ArchivedObject) -> [String] {
    (fields[object.index] ?? [:]).keys.filter { $0 != "$class" }.sorted()
  }

  // MARK: - Collections

  /// The elements in an archived array or set; otherwise `nil`.
  package func elements(of value: ArchivedValue) -> [ArchivedValue]? {
    guard case .object(let object) = value, Self.collections.contains(object.className) else { return nil }
    if let index = field("NS.objects", of: object.index), case .list(let elements)? = list[index] {
      return elements.map(self.value(at:))
    }
    // Ordered sets have a field for each element.
    var elements: [ArchivedValue] = []
    while let index = field("NS.object.\(elements.count)", of: object.index) {
      elements.append(self.value(at: index))
    }
    return elements
  }

  /// The entries in an archived dictionary with text keys; otherwise `nil`.
  package func entries(of value: ArchivedValue) -> [(key: String, value: ArchivedValue)]? {
    guard case .object(let object) = value, object.className.hasSuffix("Dictionary"),
      let keyIndex = field("NS.keys", of: object.index), case .list(let keys)? = list[keyIndex],
      let valueIndex = field("NS.objects", of: object.index), case .list(let values)? = list[valueIndex],
      keys.count == values.count
    else { return nil }
    var result: [(key: String, value: ArchivedValue)] = []
    for (key, value) in zip(keys, values) {
      guard case .text(let name) = self.value(at: key) else { return nil }
      result.append((name, self.value(at: value)))
    }
    return result
  }

  private static let collections: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]
}

/// An object in a keyed archive. Use ``KeyedArchive`` to read the fields.
package struct ArchivedObject: Sendable, Hashable {
  /// The object's number in the archive, which identifies it.
  package let number: Int
  package let className: String
  fileprivate let index: Int
}

package enum ArchivedValue: Sendable, Equatable {
  /// A missing field, or nil.
  case none
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 1 January 2001.
  case date(Double)
  case data([UInt8])
  case text(String)
  case object(ArchivedObject)

  package var object: ArchivedObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  package var integer: Int? {
    switch self {
    case .integer(let value): Int(value)
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }

  package var flag: Bool { integer ?? 0 != 0 }
}
