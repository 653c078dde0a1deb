import { truncate } from '#shared/truncate.ts'

/** Shortens a text that is shown to a number of UTF-16 code units, with dots at its end. */
export const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${truncate(text, length - 3)}...`
