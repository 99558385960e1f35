/// The size of a connection's page cache, in KiB.
///
/// The more of the file a cache covers, the fewer pages are read for rows that are fetched or changed one by one. A
/// scan of a table reads each page once, so a large cache would only add memory: a reader gets a large cache with its
/// first query that reads rows by key.
package enum PageCacheSize: Int {
  case scanning = 2_000
  case reading = 8_192
  case writing = 16_384
}

extension Connection {
  /// Enlarges the cache before rows are read or written by key.
  package func enlargeCache(to size: PageCacheSize) throws {
    if cacheSize == .scanning { try setCache(size) }
  }

  /// Shrinks the cache before rows are appended to a table, because no page is read again.
  package func shrinkCache() throws {
    if cacheSize != .scanning { try setCache(.scanning) }
  }

  package func setCache(_ size: PageCacheSize) throws {
    try execute("PRAGMA cache_size = -\(number: size.rawValue)")
    cacheSize = size
  }
}
