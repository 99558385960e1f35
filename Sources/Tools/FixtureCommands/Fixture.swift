import Foundation
package import SchemaCommands
package import SchemaDriver
package import SchemaFixtures
import SchemaModel
import SchemaVersions

/// `trellis-fixture`: writes stores with test data for schema versions. The app does not run.
package enum Fixture: Verb {
  package static let name = "fixture"
  package static let summary = "Write a store with test data for a schema version"
  package static let options: Set<String> = ["--rows", "--seed", "--output", "--module", "--store", "--schema"]
  package static let flags: Set<String> = ["--force"]
  package static let help = """
    Usage: trellis-fixture [VERSION…] [--output PATH] [--rows N] [--seed N] [--force] [PATH…]

    Writes a store for each VERSION, as an app with that version would write it. The rows contain boundary
    values, nil and non-nil values, every enum case, and lists of zero, one and several elements. The
    second half of the rows repeats values of the first half unless they must be unique. The same schema,
    version and options always produce the same contents.

    VERSION is a number ('1.0.0'), 'head' or 'all'. If there are several schemas, put the schema name in
    front ('Trips@1.0.0'). The default is the head. PATH is a schema file or a folder. The default is
    every schema below the current folder.

      --output PATH  a folder for files such as 'Trips-1.0.0.store' (default: the current folder), or a
                     store file: 'old.store'
      --rows N       rows per model (default: 24). A model gets more rows if it needs them for its enum
                     cases or relationships, and fewer if there are not enough unique values
      --seed N       a different seed changes the order of the values (default: 1)
      --force        replace existing stores; other files are never overwritten
      --module NAME  the app's Swift module, if it cannot be derived from PATH

    'trellis-postgres fixture --store URL' writes to a PostgreSQL database.

    Properties that only the app can encode are nil. If such a property is required, the exit code is 1.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if let store = arguments["--store"] ?? arguments["--output"], case .database = StoreAddress(store, session) {
      throw StoreAddress.refusal(of: name)
    }
    if arguments["--store"] != nil || arguments["--schema"] != nil {
      throw DriverFailure(
        ["error: '--store' and '--schema' apply to databases; use '--output PATH' for a file"], .usage)
    }
    let found = try requestedVersions(arguments, session)
    let places = try FixturePlace.places(for: found.map(\.title), arguments["--output"], session)
    for place in places { try place.check(isForced: arguments.has("--force")) }
    // Create all fixtures before the first write, so that an error leaves no files.
    let fixtures = try found.map { try fixture(of: $0, arguments) }
    for (fixture, (found, place)) in zip(fixtures, zip(found, places)) {
      session.note("writing \(found.version.name) \(found.version.version)\n")
      do {
        try place.write { try fixture.write(to: $0) }
      } catch {
        throw DriverFailure(["error: \(place.path): \(error)"], .usage)
      }
      report(fixture, of: found, at: place.path, &session)
    }
    return .clean
  }

  /// Returns the versions that the arguments name; by default, the heads.
  package static func requestedVersions(_ arguments: Arguments, _ session: Session) throws -> [RequestedVersion.Found] {
    let wanted = arguments.files.compactMap(RequestedVersion.init)
    let folders = try SchemaFolder.open(arguments.files.filter { RequestedVersion($0) == nil }, session)
    for folder in folders { try folder.requireCompiled() }
    return try RequestedVersion.find(wanted.isEmpty ? [.head] : wanted, folders)
  }

  /// Creates the rows for a version.
  ///
  /// - Parameter keepsNullCharacters: False if text values in the store cannot contain U+0000.
  package static func fixture(
    of found: RequestedVersion.Found, _ arguments: Arguments, keepsNullCharacters: Bool = true
  ) throws -> SchemaFixture {
    let rows = try number("--rows", arguments, 0...1_000_000) ?? 24
    let seed = try number("--seed", arguments, 0...Int.max) ?? 1
    do throws(FixtureRefusal) {
      return try SchemaFixture(
        found.version, of: found.history, files: found.folder.project.files,
        module: arguments["--module"] ?? found.module, rows: rows, seed: UInt64(seed),
        keepsNullCharacters: keepsNullCharacters)
    } catch {
      throw DriverFailure(["error: \(found.version.name) \(found.version.version): \(error)"], .findings)
    }
  }

  /// Prints a line for a written fixture.
  package static func report(
    _ fixture: SchemaFixture, of found: RequestedVersion.Found, at place: String, _ session: inout Session
  ) {
    let counts = fixture.counts.map { "\($0.model) \($0.rows)" }.joined(separator: ", ")
    session.say("\(place): \(found.version.name) \(found.version.version), \(counts)\n")
  }

  private static func number(
    _ name: String, _ arguments: Arguments, _ range: ClosedRange<Int>
  ) throws(DriverFailure) -> Int? {
    guard let text = arguments[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw DriverFailure(
        ["error: '\(name)' must be an integer from \(range.lowerBound) to \(range.upperBound)"], .usage)
    }
    return number
  }
}
