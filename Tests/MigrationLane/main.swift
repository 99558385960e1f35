import Foundation
import SampleTripsGolden
import Synchronization
import Trellis
import TrellisTesting

// A program that migrates a store of the sample schema, for `KilledMigrationTests` to kill.
//
//     MigrationLane STORE                 opens it and prints 'migrated', or 'opened' without a migration
//     MigrationLane STORE count           prints the number of statements of the opening
//     MigrationLane STORE kill N          kills itself before statement N
//     MigrationLane STORE kill N DELAY    kills itself DELAY microseconds later
//     MigrationLane STORE wait FILE       waits until the file exists

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print("error: which store?")
  exit(2)
}
func number(_ index: Int) -> Int { arguments.indices.contains(index) ? Int(arguments[index]) ?? 0 : 0 }

let statements = Mutex(0)
let hasMigrated = Mutex(false)
let command = arguments.count > 2 ? arguments[2] : ""
let (victim, delay) = command == "kill" ? (number(3), UInt32(number(4))) : (0, 0)

@Sendable func die() {
  kill(getpid(), SIGKILL)
  while true { pause() }
}

if command == "wait" {
  print("ready")
  fflush(nil)
  while !FileManager.default.fileExists(atPath: arguments[3]) { usleep(100) }
}

let schema = Schema(versionedSchema: SampleTripsSchema.Current.self)
var configuration = ModelConfiguration(schema: schema, url: URL(fileURLWithPath: arguments[1]))
configuration.migration.observer = { _ in hasMigrated.withLock { $0 = true } }
do {
  try StatementWatch.whileRunning {
    let count = statements.withLock { statements in
      statements += 1
      return statements
    }
    guard count == victim else { return }
    guard delay > 0 else { return die() }
    Thread.detachNewThread {
      usleep(delay)
      die()
    }
  } _: {
    _ = try ModelContainer(
      for: schema, migrationPlan: SampleTripsMigrationPlan.self, configurations: configuration)
  }
  // Wait for the other thread to kill the process.
  if victim > 0, statements.withLock({ $0 >= victim }) { while true { pause() } }
} catch {
  print("error: \(error)")
  exit(1)
}
switch command {
case "count": print(statements.withLock { $0 })
default: print(hasMigrated.withLock { $0 } ? "migrated" : "opened")
}
