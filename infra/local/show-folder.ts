import { isAbsolute, relative } from 'node:path'

/** A folder as it is shortest to read: relative to where the command runs if it is below, else its absolute path. */
export function showFolder(folder: string, workingFolder = process.cwd()): string {
  const path = relative(workingFolder, folder)
  return path === '' || path.startsWith('..') || isAbsolute(path) ? folder : path
}
