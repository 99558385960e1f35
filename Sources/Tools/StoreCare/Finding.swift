import CSQLite
package import Trellis

/// A problem in a store.
package struct Finding: Encodable, Equatable, Sendable {
  /// The kind of problem. The raw value identifies it in reports.
  package enum Kind: String, Encodable, Sendable, CaseIterable {
    // The file.
    case damagedPages = "damaged-pages"
    case unreadableSchema = "unreadable-schema"
    // The catalogue.
    case differentTable = "different-table"
    case missingTrigger = "missing-trigger"
    case outdatedDescription = "outdated-description"
    // Rows.
    case danglingReference = "dangling-reference"
    case oneSidedReference = "one-sided-reference"
    case missingValue = "missing-value"
    case wrongValue = "wrong-value"
    case unknownCase = "unknown-case"
    case unknownEntity = "unknown-entity"
    case duplicateValue = "duplicate-value"
    case listPosition = "list-position"
    // Bookkeeping.
    case usedKey = "used-key"
    case missingMark = "missing-mark"
    case history
    // External files.
    case missingFile = "missing-file"
    case orphanedFile = "orphaned-file"
  }

  package let kind: Kind
  /// The entity, or the table if no entity is affected.
  package let entity: String?
  /// The property or column.
  package let column: String?
  package let count: Int
  /// Row keys, file names or values, at most ``exampleLimit``.
  package let examples: [String]
  package let message: String
  /// True if ``StoreRepair`` can derive the correct state from the remaining data.
  package let isRepairable: Bool

  package static let exampleLimit = 5

  /// - Parameter isRepairable: The default depends on the kind.
  package init(
    _ kind: Kind, _ entity: String? = nil, _ column: String? = nil, count: Int = 1, examples: [String] = [],
    _ message: String, isRepairable: Bool? = nil
  ) {
    self.isRepairable = isRepairable ?? kind.isDerived
    self.kind = kind
    self.entity = entity
    self.column = column
    self.count = count
    self.examples = Array(examples.prefix(Self.exampleLimit))
    self.message = message
  }

  enum CodingKeys: String, CodingKey {
    case kind = "id"
    case entity, column, count, examples, message
  }

  /// A single line: `wrong-value  Trip.budget (3): a value is not a 'Decimal'; for example 17, 19, 20`.
  package var text: String {
    let place = [entity, column].compactMap(\.self).joined(separator: ".")
    let title = [place, "(\(count))"].filter { !$0.isEmpty }.joined(separator: " ")
    let shown = examples.isEmpty ? "" : "; for example \(examples.joined(separator: ", "))"
    return "\(kind.rawValue)  \(title): \(message)\(shown)"
  }
}

extension Finding.Kind {
  /// True if the correct state follows from the remaining data. Damaged indexes are marked separately.
  fileprivate var isDerived: Bool {
    [.missingTrigger, .outdatedDescription, .usedKey, .missingMark, .orphanedFile].contains(self)
  }
}

/// The reason why a store cannot be checked, copied, compacted or migrated, with advice for the user.
package struct CareFailure: Error, CustomStringConvertible {
  package let description: String
  /// True if the store itself is the problem, rather than the command line.
  package let isAboutStore: Bool

  package init(_ description: String, isAboutStore: Bool = false) {
    self.description = description
    self.isAboutStore = isAboutStore
  }

  /// - Parameter path: The database to which the error applies.
  package init(_ error: SQLiteError, _ path: String) {
    switch error.code {
    case _ where error.isDiskFull: self.init("\(path): the disk is full: free some space and try again")
    case .notADatabase: self.init("\(path): is not a database", isAboutStore: true)
    case .corrupt:
      self.init("\(path): the file is damaged (\(error.message)): restore a backup", isAboutStore: true)
    case .busy, .locked: self.init("\(path): another process uses the store: end it, or try again later")
    case .cannotOpen, .readOnly, .ioError:
      // SQLite reads a log only where it can create the log's index.
      let advice = FileStamp.size(path + "-wal") == 0 ? "" : ", or copy it with its '-wal' file to a writable folder"
      self.init(
        "\(path): cannot be read or written: \(error.message); check the permissions of the file and folder\(advice)")
    case .init(rawValue: SQLITE_INTERRUPT):
      self.init(
        "\(path): the file is damaged: its pages refer to each other in circles; restore a backup", isAboutStore: true)
    default: self.init("\(path): \(error)", isAboutStore: true)
    }
  }

  /// Removes the store's path, for reports that show it in the title.
  func reason(_ path: String) -> String {
    description.hasPrefix(path + ": ") ? String(description.dropFirst(path.count + 2)) : description
  }
}

extension SQLiteError {
  /// True if the disk is full or a size limit is reached. SQLite reports no system error for the log's index.
  package var isDiskFull: Bool { isOutOfRoom || extendedCode == SQLITE_IOERR | 19 << 8 }
}

/// For example `1 row` or `2 rows`.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
