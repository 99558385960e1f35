// A program without Trellis that uses a store file, through SQLite's C interface alone: another process, for the
// tests of the runtime.
//
//     StoreShell FILE SQL             runs the statements and prints their rows
//     StoreShell FILE SQL --killed    then kills itself, within the transaction that they have begun
//
// A row is a line; its columns are separated by '|'. NULL is empty, a BLOB is x'…'. A failed statement ends the
// program with status 1, after its message.

import CSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  print("usage: StoreShell FILE SQL [--killed]")
  exit(2)
}
do {
  let database = try Database(arguments[1])
  try database.run(arguments[2])
  if arguments.last == "--killed" { raise(SIGKILL) }
} catch {
  print(error.message)
  exit(1)
}
