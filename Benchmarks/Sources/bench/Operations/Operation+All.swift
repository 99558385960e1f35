extension Operation {
  /// All operations, in table order.
  static let all: [Operation] = writes + batches + fetches + relationships + counts + objects

  private static let writes = [
    Operation(
      name: "insert-bulk", title: "insert 100,000, one save", fixture: .empty,
      limit: 2, raw: RawWrites.bulk, ours: OurWrites.bulk),
    Operation(
      name: "insert-batches", title: "100 saves of 100", fixture: .empty, samples: 3,
      limit: 2, raw: RawWrites.batches, ours: OurWrites.batches),
    Operation(
      name: "insert-singles", title: "1,000 saves of 1", fixture: .empty, samples: 3,
      limit: 2.4, raw: RawWrites.singles, ours: OurWrites.singles),
    Operation(
      name: "insert-steady", title: "10,000 saves of 1", fixture: .empty,
      limit: 1.6, raw: RawWrites.steady, ours: OurWrites.steady),
    Operation(
      name: "update", title: "update 10,000, one save", fixture: .copy,
      limit: 1.6, raw: RawWrites.update, ours: OurWrites.update),
    Operation(
      name: "delete", title: "delete 10,000 + cascade", fixture: .copy,
      limit: 1.7, raw: RawWrites.delete, ours: OurWrites.delete),
  ]

  private static let batches = [
    Operation(
      name: "batch-insert", title: "insert 100,000 snapshots", fixture: .empty,
      limit: 1.1, raw: RawBatches.insert, ours: OurBatches.insert),
    Operation(
      name: "batch-stream", title: "insert 100,000 as they arrive", fixture: .empty,
      limit: 1.1, raw: RawBatches.stream, ours: OurBatches.stream),
    Operation(
      name: "batch-upsert", title: "upsert 100,000, 25,000 known", fixture: .stations,
      limit: 2, raw: RawBatches.upsert, ours: OurBatches.upsert),
    Operation(
      name: "batch-fetch", title: "fetch 100,000 snapshots", fixture: .full, samples: 3,
      limit: 1.5, raw: RawBatches.fetch, ours: OurBatches.fetch),
    Operation(
      name: "batch-enumerate", title: "enumerate 100,000 snapshots", fixture: .full, samples: 3,
      limit: 1.5, raw: RawBatches.enumerate, ours: OurBatches.enumerate),
    Operation(
      name: "import-memory", title: "peak memory, 1,000,000 inserted", unit: .mebibytes,
      fixture: .empty, warmups: 0, limit: 64, isAbsolute: true,
      raw: RawBatches.importMillion, ours: OurBatches.importMillion),
    Operation(
      name: "snapshots-memory", title: "peak memory, 1,000,000 snapshots", unit: .mebibytes,
      fixture: .million, warmups: 0, limit: 64, isAbsolute: true,
      raw: RawBatches.enumerateMillion, ours: OurBatches.enumerateMillion),
    Operation(
      name: "enumerate-memory", title: "peak memory, 1,000,000 models", unit: .mebibytes,
      fixture: .million, warmups: 0, limit: 64, isAbsolute: true,
      raw: RawBatches.enumerateMillion, ours: OurBatches.enumerateModels),
    Operation(
      name: "context-memory", title: "peak memory, 1,000,000 in turn", unit: .mebibytes,
      fixture: .million, warmups: 0, limit: 64, isAbsolute: true,
      raw: RawBatches.enumerateMillion, ours: OurBatches.touchModels),
    Operation(
      name: "delete-memory", title: "peak memory, 400,000 deleted", unit: .mebibytes,
      fixture: .copy, warmups: 0, limit: 64, isAbsolute: true,
      raw: RawBatches.deleteAll, ours: OurBatches.deleteAll),
  ]

  private static let fetches = [
    Operation(
      name: "fetch-cold", title: "fetch all, first in process", fixture: .full, warmups: 0,
      limit: 1.5, raw: RawReads.fetchAll, ours: OurReads.fetchAll),
    Operation(
      name: "refetch", title: "fetch all, registered", fixture: .full,
      limit: 1, raw: RawReads.refetch, ours: OurReads.refetch),
    Operation(
      name: "filter-scan", title: "filter, sort, limit; scan", fixture: .full,
      limit: 1.15, raw: RawReads.filtered, ours: OurReads.filtered),
    Operation(
      name: "filter-index", title: "filter, sort, limit; index", fixture: .indexed, samples: 3,
      limit: 1.3, raw: RawReads.filtered, ours: OurReads.filteredIndexed),
    Operation(
      name: "pairs", title: "find 1,000 pairs of values", fixture: .full, samples: 3,
      limit: 1.3, raw: RawReads.byPairs, ours: OurReads.byPairs),
    Operation(
      name: "key-fetch", title: "10,000 fetches by key", fixture: .full,
      limit: 4, raw: RawReads.byKey, ours: OurReads.byKey),
    Operation(
      name: "key-model", title: "10,000 × model(for:)", fixture: .full,
      limit: 2.5, raw: RawReads.byKey, ours: OurReads.modelByKey),
    Operation(
      name: "key-registered", title: "10,000 registered by key", fixture: .full,
      limit: 0.3, raw: RawReads.byKey, ours: OurReads.registeredByKey),
  ]

  private static let relationships = [
    Operation(
      name: "to-many", title: "1,000 trips, each list", fixture: .full, samples: 5,
      limit: 2, raw: RawReads.lists, ours: OurReads.lists),
    Operation(
      name: "to-many-prefetch", title: "1,000 trips, lists prefetched", fixture: .full, samples: 5,
      limit: 2, raw: RawReads.prefetchedLists, ours: OurReads.prefetchedLists),
  ]

  private static let counts = [
    Operation(
      name: "count-per-parent", title: "count the lists of 1,000", fixture: .full, samples: 5,
      limit: 4, raw: RawReads.countLists, ours: OurReads.countLists),
    Operation(
      name: "count-each", title: "count a list, one by one, × 1,000", fixture: .full, samples: 5,
      raw: RawReads.countLists, ours: OurReads.countEachList),
    Operation(
      name: "count-by-predicate", title: "count by a predicate, × 1,000", fixture: .full, samples: 5,
      limit: 7, raw: RawReads.countLists, ours: OurReads.countListsByPredicate),
    Operation(
      name: "count-all", title: "count 300,000, × 10", fixture: .full, samples: 3,
      limit: 1.1, raw: RawReads.countAll, ours: OurReads.countAll),
    Operation(
      name: "count-filter", title: "count with a filter, × 10", fixture: .full, samples: 3,
      limit: 1.1, raw: RawReads.countFiltered, ours: OurReads.countFiltered),
    Operation(
      name: "group", title: "group 100,000, with sums", fixture: .full, samples: 3, raw: RawReads.groups,
      ours: OurReads.groups),
  ]

  private static let objects = [
    Operation(
      name: "memory", title: "memory of 100,000 objects", unit: .mebibytes, fixture: .full,
      warmups: 0, limit: 1.5, raw: RawReads.memory, ours: OurReads.memory),
    Operation(
      name: "release", title: "release 100,000 objects", fixture: .full, warmups: 0,
      limit: 3, raw: RawReads.release, ours: OurReads.release),
    Operation(
      name: "properties", title: "read every property once", fixture: .full, warmups: 0,
      raw: RawReads.properties, ours: OurReads.properties),
  ]
}
