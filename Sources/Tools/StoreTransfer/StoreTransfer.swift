/// Import and export of rows.
package enum StoreTransfer {}
