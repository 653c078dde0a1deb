import { createContext } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'

/** The files of the reply that is rendered. Its text may link to them by the paths that they had where the model's code ran. */
export const ReplyFilesContext = createContext<readonly Attachment[]>([])
