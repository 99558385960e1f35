import Testing

/// Placeholder until the first suite.
@Suite struct TransferTests {}
