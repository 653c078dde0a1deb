import { plural } from '../../../lib/plural.ts'

// attach-folder
export const folder = 'Folder'
export const noFiles = 'The folder has no files to attach.'
export const hiddenFiles = (count: number) =>
  plural(count, { one: 'A hidden file was left out.', other: `${count} hidden files were left out.` })
export const tooManyFound = (max: number) =>
  `Only ${max.toLocaleString()} files of it were looked at. Open it and choose the files that matter.`
export const notRead = 'The folder could not be read'
export const chooseInstead = 'Open the folder and choose its files.'
