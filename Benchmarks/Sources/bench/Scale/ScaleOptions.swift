/// The command-line options of a scale run.
struct ScaleOptions {
  var sizes = [10_000, 100_000, 1_000_000]
  /// The maximum growth of the cost per row from one size to the next.
  var growth = 3.0
  /// The maximum growth for lookups, because larger indexes are deeper and less cached.
  var flat = 4.0
  var rounds = 3
  var only: Set<String> = []
  var json: String?
  var wantsHelp = false

  static let help = """
    Measures the cost per row as a store grows, and fails if the growth is not linear.

    bench --scale [options]
      --sizes LIST  row counts (default: 10k,100k,1M); 10M takes an hour, 10 GB of disk and 10 GB of memory
      --growth N    maximum growth of the cost per row from one size to the next (default: 3)
      --flat N      maximum growth for operations whose cost should not depend on the size (default: 4)
      --rounds N    processes for each operation below a million rows; the table shows medians (default: 3)
      --only NAME   run only this operation; can be repeated
      --json FILE   the file for the results (default: next to the executable)

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
        throw UsageFailure("\(option) must be a number, 1 or more")
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
          throw UsageFailure("unknown scale operation '\(name)'")
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
      throw UsageFailure("'\(text)' is not a size: use a form such as 10k, 1M or 2500")
    }
    return number * (unit ?? 1)
  }

  /// Formats a size in the same notation.
  static func text(_ size: Int) -> String {
    if size % 1_000_000 == 0 { return "\(size / 1_000_000)M" }
    return size % 1_000 == 0 ? "\(size / 1_000)k" : "\(size)"
  }
}
