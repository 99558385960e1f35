extension StoreOpener {
  /// Makes the tables of a store from before there was history, and sees to it that a program that records
  /// nothing leaves a trace.
  func prepareHistory(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    guard file.allowsSave else { return }
    if metadata.historyEpoch == 0 {
      metadata = try connection.write {
        guard var current = try StoreMetadata(connection) else { return metadata }
        guard current.historyEpoch == 0 else { return current }
        try describe(&current, connection)
        return current
      }
    }
    let isOff = !configuration.history.isRecorded
    guard metadata.isHistoryOff != isOff else { return }
    let epoch = metadata.historyEpoch
    try connection.write {
      try StoreMetadata.write(.integer(isOff ? 1 : 0), for: StoreMetadata.Key.historyOff, connection)
      guard !isOff else { return }
      // What was saved meanwhile nobody can tell: no token leads across.
      let gap = try HistoryLog.noteGap(author: nil, epoch: epoch, connection)
      try HistoryLog.raiseFloor(to: gap, connection)
    }
    metadata.isHistoryOff = isOff
  }
}
