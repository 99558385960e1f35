@_spi(Reflection) import Swift
import Foundation
import Synchronization

/// What all predicates have in common that differ in the values of parameters only: of one type, with
/// the same key paths, operators and wiring of variables, and the same traits of captured values.
final class PredicateForm: @unchecked Sendable {  // never written but for `statements`, which has its lock
  let layout: ExpressionLayout
  fileprivate let keyPaths: [AnyKeyPath]
  fileprivate let words: [UInt]
  /// Whether such a predicate asks for an identity and nothing else: that of its first parameter.
  let isIdentity: Bool
  let crossesRelationships: Bool
  let readsReferences: Bool
  /// The statements in use.
  let statements = Mutex<[PredicateStatement]>([])

  fileprivate init<T: PersistentModel>(
    _ layout: ExpressionLayout, _ keyPaths: [AnyKeyPath], _ words: [UInt], _ predicate: Predicate<T>
  ) {
    self.layout = layout
    // Kept, so that no other one gets its address.
    self.keyPaths = keyPaths
    self.words = words
    let shape = PredicateShape(predicate)
    crossesRelationships = shape.crossesRelationships
    readsReferences = shape.readsReferences
    isIdentity = layout.parameters.count == 1 && PredicateLookup.identifier(of: predicate) != nil
  }

  /// The form of a predicate; nil when it has none, being made of parts nothing is known of.
  static func of<T: PersistentModel>(_ predicate: Predicate<T>) -> PredicateForm? {
    predicate.withExpression { type, place in
      guard let layout = ExpressionLayout.of(type) else { return nil }
      return layout.form(at: place, predicate.variableNumber) { paths, words in
        PredicateForm(layout, paths, words, predicate)
      }
    }
  }

  /// The identifier that a predicate of this form asks for, by the memory of its expression.
  func identifier(at place: UnsafeRawPointer) -> PersistentIdentifier? {
    guard isIdentity else { return nil }
    let (offset, type) = layout.parameters[0]
    return type.identifier(at: place + offset)
  }
}

extension Predicate {
  /// Lends the memory of the expression.
  @inline(__always) func withExpression<R>(
    _ body: (any PredicateExpression.Type, UnsafeRawPointer) throws -> R
  ) rethrows -> R {
    func open<E: PredicateExpression>(_ expression: E) throws -> R {
      try withUnsafePointer(to: expression) { try body(E.self, UnsafeRawPointer($0)) }
    }
    return try open(expression)
  }

  /// The number of the predicate's own variable, of the first if it has several.
  @inline(__always) fileprivate var variableNumber: UInt {
    withUnsafeBytes(of: self) { bytes in
      guard let offset = PredicateLayout.variable else { return 0 }
      return bytes.load(fromByteOffset: offset, as: UInt.self)
    }
  }
}

private enum PredicateLayout {
  /// Where the variable lies in a predicate, which does not depend on what the predicate is about.
  static let variable: Int? = {
    var found: Int?
    let size = MemoryLayout<Predicate<Int>>.size
    _ = _forEachField(of: Predicate<Int>.self) { name, offset, _, _ in
      if String(cString: name) == "variable", offset + MemoryLayout<UInt>.size <= size { found = offset }
      return true
    }
    return found
  }()
}

extension ExpressionLayout {
  private static var limit: Int { 32 }

  /// The form of a predicate with an expression of this type.
  ///
  /// - Parameters:
  ///   - root: the number of the predicate's own variable.
  ///   - make: makes the form when it is met for the first time.
  fileprivate func form(
    at place: UnsafeRawPointer, _ root: UInt, make: ([AnyKeyPath], [UInt]) -> PredicateForm
  ) -> PredicateForm? {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: wordCount) { words in
      guard root != 0, write(to: words, place, root) else { return nil }
      if let known = known(words, place) { return known }
      let form = make(keyPaths.map { place.keyPath(at: $0) }, Array(words))
      forms.withLock { forms in
        if forms.count >= Self.limit { forms.removeFirst() }
        forms.append(form)
      }
      return form
    }
  }

  /// Writes what tells the forms of this layout apart.
  private func write(
    to words: UnsafeMutableBufferPointer<UInt>, _ place: UnsafeRawPointer, _ root: UInt
  ) -> Bool {
    var next = 0
    func write(_ word: UInt) {
      words.initializeElement(at: next, to: word)
      next += 1
    }
    for offset in operators { write(UInt(place.load(fromByteOffset: offset, as: UInt8.self))) }
    for (index, offset) in variables.enumerated() {
      // Every predicate numbers its variables anew: what counts is where they return.
      let id = place.load(fromByteOffset: offset, as: UInt.self)
      if id == root { write(0); continue }
      let first = variables[..<index].firstIndex {
        place.load(fromByteOffset: $0, as: UInt.self) == id
      }
      write(UInt(first ?? index) + 1)
    }
    for (offset, type) in parameters { write(type.trait(at: place + offset)) }
    for (offset, type) in choices {
      guard let choice = type.words(at: place + offset) else { return false }
      write(choice.kind)
      write(choice.first)
      write(choice.second)
    }
    return true
  }

  private func known(
    _ words: UnsafeMutableBufferPointer<UInt>, _ place: UnsafeRawPointer
  ) -> PredicateForm? {
    let forms = forms.withLock { $0 }
    // A key path that is spelled out is one object, however often it is met.
    for form in forms where form.words.elementsEqual(words) {
      let isSame = zip(form.keyPaths, keyPaths).allSatisfy { kept, offset in
        place.address(at: offset) == UInt(bitPattern: Unmanaged.passUnretained(kept).toOpaque())
      }
      if isSame { return form }
    }
    // One that generic code spells is another one each time.
    return forms.first { form in
      form.words.elementsEqual(words)
        && zip(form.keyPaths, keyPaths).allSatisfy { $0 == place.keyPath(at: $1) }
    }
  }
}

extension UnsafeRawPointer {
  fileprivate func keyPath(at offset: Int) -> AnyKeyPath {
    (self + offset).assumingMemoryBound(to: AnyKeyPath.self).pointee
  }

  fileprivate func address(at offset: Int) -> UInt {
    load(fromByteOffset: offset, as: UInt.self)
  }
}
