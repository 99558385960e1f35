/// The size of a connection's page cache, in KiB.
///
/// The more of the file a cache covers, the fewer pages are read for rows that are fetched or changed one by one. A
/// scan of a table reads each page once, so a large cache would only add memory: a reader gets a large cache with its
/// first query that reads rows by key.
enum PageCacheSize: Int {
  case scanning = 2_000
  case reading = 8_192
  case writing = 16_384
  /// While many lookups follow each other.
  case busy = 32_768
}

extension Connection {
  /// Called before a query that reads rows by key.
  func expectLookups() throws {
    guard !hasLargeCache else { return }
    hasLargeCache = true
    try setCache(.reading)
  }

  /// Called when many lookups follow each other.
  func expectMoreLookups() throws {
    hasLargeCache = true
    try setCache(.busy)
  }

  /// Called before rows are appended to a table: no page is read again, so a large cache would only add memory.
  func expectOnlyAdditions() throws {
    guard hasLargeCache else { return }
    hasLargeCache = false
    try setCache(.scanning)
  }

  /// Called before rows are written by key.
  func expectWrites() throws {
    guard !hasLargeCache else { return }
    hasLargeCache = true
    try setCache(.writing)
  }

  /// Called when no lookups follow for a while.
  func expectNoMoreLookups() throws { try setCache(.reading) }

  func setCache(_ size: PageCacheSize) throws {
    try execute("PRAGMA cache_size = -\(number: size.rawValue)")
  }
}
