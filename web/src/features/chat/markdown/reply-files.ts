import { createContext } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'

/** The files of the reply, to which its text may link by the paths that they had where its code ran. */
export const ReplyFilesContext = createContext<readonly Attachment[]>([])
