import Foundation
import SwiftData

guard CommandLine.arguments.count == 2 else {
  print("usage: Clinic FOLDER")
  exit(2)
}

let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let checks = Checks("Clinic")
do {
  let url = try newStore("current", in: folder)
  try runCreation(at: url, checks)
  try runQueries(at: url, checks)
  try runChanges(at: url, checks)
  try runDeletions(at: url, checks)
  try runStepwiseMigration(in: folder, checks)
  try runDirectMigration(in: folder, checks)
} catch {
  checks.fail("stopped by an error: \(error)")
}
checks.finish()
