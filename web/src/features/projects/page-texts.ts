import { plural, t } from '@lingui/core/macro'

export const messageCount = (count: number) => plural(count, { one: '# message', other: `# messages` })
export const uploading = (fileName: string, percent: number) => t`Uploading ${fileName}, ${percent}%`
export const reading = (fileName: string) => t`Reading ${fileName}`
export const fileAdded = (fileName: string) => t`${fileName} added`
export const filesAdded = (count: number) => plural(count, { one: '# file added', other: '# files added' })
export const fileNotAdded = (fileName: string) => t`${fileName} was not added`
export const download = (fileName: string) => t`Download ${fileName}`
export const removeFile = (fileName: string) => t`Remove ${fileName} from the project`
export const addedAt = (time: string) => t`added ${time}`
export const newestOfName = (time: string) => t`added ${time}, the newest of this name`
