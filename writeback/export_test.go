package writeback

// What tests outside the package need of its inside.
var DeleteFile = deleteFile
