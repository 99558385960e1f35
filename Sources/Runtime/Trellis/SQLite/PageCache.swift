/// The size of a connection's page cache, in KiB.
///
/// The more of the file a cache covers, the fewer pages are read for rows that are fetched or changed one by one. A scan
/// of a table reads each page once, so a large cache would only add memory: a reader gets a large cache with its first
/// query that reads rows by key.
enum PageCacheSize: Int {
  case scanning = 2_000
  case reading = 8_192
  case writing = 16_384
  /// While many lookups follow each other.
  case busy = 32_768
}

extension Connection {
  /// To be called before a query that comes to the same pages again.
  func expectLookups() throws {
    guard !hasLargeCache else { return }
    hasLargeCache = true
    try setCache(.reading)
  }

  /// As many questions follow each other, their pages come again.
  func expectMoreLookups() throws {
    hasLargeCache = true
    try setCache(.busy)
  }

  /// To be called before rows are only added at the end of a table: no page comes again, and each one
  /// kept is memory that has to be got from the system.
  func expectOnlyAdditions() throws {
    guard hasLargeCache else { return }
    hasLargeCache = false
    try setCache(.scanning)
  }

  /// To be called before rows are written here and there.
  func expectWrites() throws {
    guard !hasLargeCache else { return }
    hasLargeCache = true
    try setCache(.writing)
  }

  /// The questions have stopped.
  func expectNoMoreLookups() throws { try setCache(.reading) }

  func setCache(_ size: PageCacheSize) throws {
    try execute("PRAGMA cache_size = -\(number: size.rawValue)")
  }
}
