/// Checks, copies and migrations of stores.
package enum StoreCare {}
