import { plural, t } from '@lingui/core/macro'

export const folder = t`Folder`
export const noFiles = t`The folder has no files to attach.`
export const hiddenFiles = (count: number) =>
  plural(count, { one: '# hidden file was left out.', other: '# hidden files were left out.' })
export const tooManyFound = (max: number) =>
  plural(max, {
    one: 'Only # file of it was looked at. Open it and choose the files that matter.',
    other: 'Only # files of it were looked at. Open it and choose the files that matter.',
  })
export const notRead = t`The folder could not be read`
export const chooseInstead = t`Open the folder and choose its files.`
