import Foundation
@_spi(_Unicode) import Swift
import Trellis

/// A sort descriptor with the expected order, defined independently of the library.
struct DifferentialSort {
  let descriptor: SortDescriptor<DiffRow>
  let compare: (DiffRow, DiffRow) -> ComparisonResult

  /// The order defined by `SortDescriptor.compare`.
  private static func plain(_ descriptor: SortDescriptor<DiffRow>) -> DifferentialSort {
    DifferentialSort(descriptor: descriptor) { descriptor.compare($0, $1) }
  }

  /// The order defined by a key, for cases in which `SortDescriptor.compare` is not a valid order.
  private static func keyed<K: Comparable>(
    _ descriptor: SortDescriptor<DiffRow>, _ key: @escaping (DiffRow) -> K?
  ) -> DifferentialSort {
    let isReverse = descriptor.order == .reverse
    return DifferentialSort(descriptor: descriptor) { lhs, rhs in
      let result = order(key(lhs), key(rhs))
      guard isReverse else { return result }
      return ComparisonResult(rawValue: -result.rawValue) ?? .orderedSame
    }
  }

  private static func order<K: Comparable>(_ lhs: K?, _ rhs: K?) -> ComparisonResult {
    switch (lhs, rhs) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let lhs?, let rhs?):
      lhs < rhs ? .orderedAscending : rhs < lhs ? .orderedDescending : .orderedSame
    }
  }

  /// Text, ordered by the bytes in normal form.
  private struct Canonical: Comparable {
    var bytes: [UInt8]
    init(_ text: String) {
      var normal = ""
      normal.unicodeScalars.append(contentsOf: text._nfc)
      bytes = Array(normal.utf8)
    }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
  }

  /// A number, with NaN last.
  private struct Number: Comparable {
    var value: Double
    init(_ value: Double) { self.value = value }
    static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.value.isNaN ? false : rhs.value.isNaN ? true : lhs.value < rhs.value
    }
    static func == (lhs: Self, rhs: Self) -> Bool { !(lhs < rhs) && !(rhs < lhs) }
  }

  static func all(_ order: SortOrder) -> [DifferentialSort] {
    [
      keyed(SortDescriptor(\.name, order: order)) { Canonical($0.name) },
      keyed(SortDescriptor(\.note, order: order)) { $0.note.map(Canonical.init) },
      keyed(SortDescriptor(\.name, comparator: .lexical, order: order)) { Canonical($0.name) },
      plain(SortDescriptor(\.count, order: order)), plain(SortDescriptor(\.small, order: order)),
      plain(SortDescriptor(\.big, order: order)), plain(SortDescriptor(\.optCount, order: order)),
      keyed(SortDescriptor(\.size, order: order)) { Number($0.size) },
      keyed(SortDescriptor(\.optSize, order: order)) { $0.optSize.map(Number.init) },
      keyed(SortDescriptor(\.ratio, order: order)) { Number(Double($0.ratio)) },
      keyed(SortDescriptor(\.date, order: order)) {
        Number($0.date.timeIntervalSinceReferenceDate)
      },
      keyed(SortDescriptor(\.optDate, order: order)) {
        ($0.optDate?.timeIntervalSinceReferenceDate).map(Number.init)
      },
      plain(SortDescriptor(\.price, order: order)),
      plain(SortDescriptor(\.optPrice, order: order)),
      plain(SortDescriptor(\.uid, order: order)), plain(SortDescriptor(\.optUID, order: order)),
      keyed(SortDescriptor(\.letter, order: order)) { Canonical(String($0.letter)) },
      plain(SortDescriptor(\.level, order: order)), plain(SortDescriptor(\.rank, order: order)),
      plain(SortDescriptor(\.kind.rawValue, order: order)),
      plain(SortDescriptor(\.level.rawValue, order: order)),
      plain(SortDescriptor(\.name.localizedStandard, order: order)),
      plain(SortDescriptor(\.note.localizedStandard, order: order)),
      plain(SortDescriptor(\.note?.localized, order: order)),
      plain(SortDescriptor(\.name.caseInsensitive, order: order)),
      keyed(SortDescriptor(\.owner.name, order: order)) { Canonical($0.owner.name) },
      keyed(SortDescriptor(\.owner.code, order: order)) { $0.owner.code.map(Canonical.init) },
      keyed(SortDescriptor(\.group?.title, order: order)) { ($0.group?.title).map(Canonical.init) },
      plain(SortDescriptor(\.group?.rank, order: order)),
      plain(SortDescriptor(\.group?.parent?.number, order: order)),
      plain(SortDescriptor(\.owner.best?.number, order: order)),
      plain(SortDescriptor(\.group?.title.localizedStandard, order: order)),
      keyed(SortDescriptor(\.place.city, order: order)) { Canonical($0.place.city) },
      plain(SortDescriptor(\.optPlace?.floor, order: order)),
      keyed(SortDescriptor(\.shout, order: order)) { Canonical($0.shout) },
      plain(SortDescriptor(\.persistentModelID, order: order)),
    ]
  }
}
