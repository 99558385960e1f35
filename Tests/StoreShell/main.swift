// A program without Trellis that uses a store file through SQLite's C interface. Tests of the runtime run it as another
// process.
//
//     StoreShell FILE SQL             runs the statements and prints their rows
//     StoreShell FILE SQL --killed    then kills itself within the open transaction
//     StoreShell FILE SQL --waiting   then prints "waiting" and keeps the file open until its input ends
//
// A row is a line with columns separated by '|'. NULL is empty, a BLOB is x'…'. After a failed statement, the program
// prints its message and exits with status 1.

import CSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  print("usage: StoreShell FILE SQL [--killed | --waiting]")
  exit(2)
}
do {
  let database = try Database(arguments[1])
  try database.run(arguments[2])
  if arguments.last == "--killed" { raise(SIGKILL) }
  if arguments.last == "--waiting" {
    print("waiting")
    fflush(nil)
    while readLine() != nil {}
  }
} catch {
  print(error.message)
  exit(1)
}
