import type { ReactNode } from 'react'
import { plural } from '../../lib/plural.ts'

// files-page
export const summary = (total: number, used: string, limit: string) =>
  plural(total, {
    one: `1 file, by name. ${used} of ${limit} used.`,
    other: `${total.toLocaleString()} files, by name. ${used} of ${limit} used.`,
  })
export const title = 'Your files'
export const subtitle = 'Files you attached and images generated for you'
export const notLoaded = 'Your files could not be loaded.'
export const noFiles = 'No files yet'
export const noFilesHint =
  'Files that you attach to messages and images that are generated for you are listed here.'
export const moreNotLoaded = 'More files could not be loaded.'
export const showMore = 'Show more'
export const loading = 'Loading your files'

// delete-file-dialog
export const deleted = 'File deleted'
export const deleteTitle = 'Delete this file?'
export const deleteFile = 'Delete'
export const deletionIsPermanent = (name: string) => `“${name}” will be deleted permanently.`
export const nameStays = 'The messages that it is attached to keep its name.'

// file-row
export const pdf = 'PDF'
export const document = 'Document'
export const spreadsheet = 'Spreadsheet'
export const image = 'Image'
export const audio = 'Audio'
export const video = 'Video'
export const archive = 'Archive'
export const file = 'File'
export const generatedImage = 'Generated image'
export const downloadFile = (name: string) => `Download ${name}`
export const deleteNamedFile = (name: string) => `Delete ${name}`
export const inConversation = 'In a conversation'
export const inProject = 'In a project'
export const unused = 'Not used in a chat'
export const inConversations = (link: ReactNode, others: number) => (
  <>
    In {link}
    {others > 0 && ` and ${others} more`}
  </>
)
