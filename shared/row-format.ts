/**
 * The format of the rows that this release writes; 1.0.0 wrote 1. It rises whenever the release before cannot read what this one writes.
 * A field that readers may find absent is no new format.
 */
export const rowFormat = 1
