import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Identifiers must be unique even if the process has no resources left.
@Suite struct UniqueIdentifierTests {
  /// Foundation's `UUID()` repeats its value in such a process.
  @Test func identifiersDifferEvenIfNoFileCanBeOpened() async {
    await #expect(processExitsWith: .success) {
      // RLIMIT_NOFILE: no further files can be opened.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      precondition(setrlimit(__rlimit_resource_t(7), &limit) == 0)
      precondition(open("/dev/null", O_RDONLY) < 0)
      let contexts = Set((0..<1_000).map { _ in EditingState().id })
      precondition(contexts.count == 1_000, "\(contexts.count) identifiers of 1,000 contexts")
      let files = Set((0..<1_000).map { _ in ExternalFile.newNumber() })
      precondition(files.count == 1_000, "\(files.count) names of 1,000 files")
      let stores = Set((0..<1_000).map { _ in StoreMetadata().identifier })
      precondition(stores.count == 1_000, "\(stores.count) identifiers of 1,000 stores")
    }
  }

  @Test func identifiersAreRandomVersion4UUIDs() {
    var (ones, zeros) = (UInt128.zero, UInt128.max)
    for _ in 0..<200 {
      let identifier = UUID.unique()
      let text = Array(identifier.uuidString)
      #expect(text[14] == "4" && "89AB".contains(text[19]), "\(identifier)")
      let bits = withUnsafeBytes(of: identifier.uuid) { $0.loadUnaligned(as: UInt128.self) }
      ones |= bits
      zeros &= bits
    }
    // Each of the other bits is both 0 and 1 in 200 identifiers, except with a probability of 1 in 10^58.
    #expect((ones & ~zeros).nonzeroBitCount == 122)
  }
}
