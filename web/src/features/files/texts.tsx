import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

// files-page
export const summary = (total: number, used: string, limit: string) =>
  plural(total, {
    one: `# file, by name. ${used} of ${limit} used.`,
    other: `# files, by name. ${used} of ${limit} used.`,
  })
export const title = t`Your files`
export const subtitle = t`Files you attached and images generated for you`
export const notLoaded = t`Your files could not be loaded.`
export const noFiles = t`No files yet`
export const noFilesHint = t`Files that you attach to messages and images that are generated for you are listed here.`
export const loading = t`Loading your files`

// delete-file-dialog
export const deleted = t`File deleted`
export const deleteTitle = t`Delete this file?`
export const deleteFile = t`Delete`
export const deletionIsPermanent = (name: string) => t`“${name}” will be deleted permanently.`
export const nameStays = t`The messages that it is attached to keep its name.`

// file-row
export const pdf = t`PDF`
export const document = t`Document`
export const spreadsheet = t`Spreadsheet`
export const image = t`Image`
export const audio = t`Audio`
export const video = t`Video`
export const archive = t({ message: 'Archive', context: 'file type' })
export const file = t`File`
export const generatedImage = t`Generated image`
export const downloadFile = (name: string) => t`Download ${name}`
export const deleteNamedFile = (name: string) => t`Delete ${name}`
export const inConversation = t`In a conversation`
export const inProject = t`In a project`
export const unused = t`Not used in a chat`
export const inConversations = (link: ReactNode, others: number) =>
  others === 0 ? (
    <Trans>In {link}</Trans>
  ) : (
    <Trans>
      In {link} and {plural(others, { one: '# more', other: '# more' })}
    </Trans>
  )
