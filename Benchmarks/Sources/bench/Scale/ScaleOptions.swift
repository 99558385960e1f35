/// The command-line options of a scale run.
struct ScaleOptions {
  var sizes = [10_000, 100_000, 1_000_000]
  /// The permitted growth of the cost per row from one size to the next.
  var growth = 3.0
  /// The permitted growth for lookups, whose index is deeper and less cached.
  var flat = 4.0
  var rounds = 3
  var only: Set<String> = []
  var json: String?
  var wantsHelp = false

  static let help = """
    Measures what a row costs as a store grows, and fails when that is not linear.

    bench --scale [options]
      --sizes LIST  numbers of rows (10k,100k,1M); 10M takes an hour, 10 GB of disk and of memory
      --growth N    how many times as much a row may cost as at the size before (3)
      --flat N      the same for what should not depend on the size at all (4)
      --rounds N    processes for each operation below a million rows; the table shows medians (3)
      --only NAME   just this operation; may be repeated
      --json FILE   where the results go (beside the executable)

    Operations: \(ScaleOperation.all.map(\.name).joined(separator: ", "))
    """

  init(_ arguments: ArraySlice<String>) throws {
    var arguments = arguments
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else { throw UsageFailure("\(option) needs a value") }
      return value
    }
    func factor(of option: String) throws -> Double {
      guard let number = Double(try value(of: option)), number >= 1 else {
        throw UsageFailure("\(option) takes a number from 1 on")
      }
      return number
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--sizes":
        sizes = try value(of: option).split(separator: ",").map { try Self.size(String($0)) }.sorted()
      case "--growth": growth = try factor(of: option)
      case "--flat": flat = try factor(of: option)
      case "--rounds": rounds = max(1, Int(try factor(of: option)))
      case "--only":
        let name = try value(of: option)
        guard ScaleOperation.all.contains(where: { $0.name == name }) else {
          throw UsageFailure("no operation over sizes is called '\(name)'")
        }
        only.insert(name)
      case "--json": json = try value(of: option)
      case "--help", "-h": wantsHelp = true
      default: throw UsageFailure("unknown option '\(option)'")
      }
    }
  }

  /// Parses `10k`, `1M` or `2500`.
  static func size(_ text: String) throws -> Int {
    let units: [Character: Int] = ["k": 1_000, "K": 1_000, "M": 1_000_000]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int(unit == nil ? text[...] : text.dropLast()), number > 0 else {
      throw UsageFailure("'\(text)' is no size: write 10k, 1M or 2500")
    }
    return number * (unit ?? 1)
  }

  /// Formats a size in that notation.
  static func text(_ size: Int) -> String {
    if size % 1_000_000 == 0 { return "\(size / 1_000_000)M" }
    return size % 1_000 == 0 ? "\(size / 1_000)k" : "\(size)"
  }
}
