// What the source is given before the parse, for the extensions that look at the parsed tree: private-use code points.

/** Reads as a letter beside emphasis, and is removed after the parse, see `markLooseBold`. */
export const joiner = '\uE002'
/** Ends an address, and is removed after the parse, see `markAddressEnds`. */
export const addressEnd = ' \uE003'
/** A bar that does not end a cell, and becomes one after the parse, see `markTablePipes`. */
export const innerPipe = '\uE004'
