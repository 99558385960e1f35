import Trellis

// Initializers with closures that have capture lists. The macro wraps these closures in other closures.

@Model class Listener {
  var name: String
  var counts: [Int]
  @Transient var sum = 0
  @Transient var describe: (() -> String)? = nil
  @Transient var onRelease: (() -> Void)? = nil

  init(_ name: String, factor: Int) throws {
    let list = [1, 2, 3]
    counts =
      list
      .map { [factor] in $0 * factor }
      .filter { [factor] in $0 > factor }
    self.name = name
    describe = { [weak self] in "\([self].compactMap { [weak self] _ in self?.name }.first ?? "gone")" }
    if list.contains(where: { [factor] in $0 == factor }) {
      run { [self] in
        sum += 1
      } then: { [self] in
        sum += 10
      }
    } else {
      sum += list.reduce(0) { [factor] (a: Int, b: Int) in a + b + factor }
    }
    for x in list.map({ [factor] in $0 + factor }) { run { [self, x] in sum += x } }
    _ = try checked(factor) { [unowned self] in sum += $0 }
    let added = if factor > 0 { list.map { [factor] in $0 - factor }[0] } else { 0 }
    sum += added
    guard let index = list.firstIndex(where: { [factor] in $0 > factor }), index > 0 else { return }
    list.forEach { x in run { [self, x] in sum += 1_000 * x } }
  }

  deinit {
    let release = onRelease
    run { [release] in release?() }
  }
}

@Model final class CountingListener: Listener {
  var limit: Int

  init(limit: Int) throws {
    self.limit = [limit].reduce(0) { [limit] in $0 + $1 + limit }
    try super.init([limit].map { [limit] in "\($0 + limit)" }[0], factor: limit)
    run { [weak self] in self?.sum = -1 }
  }
}

private func run(_ body: () -> Void, then next: () -> Void = {}) {
  body()
  next()
}

private func checked(_ value: Int, with body: (Int) -> Void) throws -> Int {
  if value > 2 { throw ListenerError.tooLarge }
  body(value)
  return value
}

enum ListenerError: Error { case tooLarge }
