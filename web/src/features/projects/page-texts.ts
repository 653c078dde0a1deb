import { plural } from '../../lib/plural.ts'

export const messageCount = (count: number) => plural(count, { one: '1 message', other: `${count} messages` })
export const uploading = (fileName: string, percent: number) => `Uploading ${fileName}, ${percent}%`
export const reading = (fileName: string) => `Reading ${fileName}`
export const fileAdded = (fileName: string) => `${fileName} added`
export const fileNotAdded = (fileName: string) => `${fileName} was not added`
export const download = (fileName: string) => `Download ${fileName}`
export const removeFile = (fileName: string) => `Remove ${fileName} from the project`
