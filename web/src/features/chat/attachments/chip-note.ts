import { isUnread } from '#shared/file-kinds.ts'
import type { TrayFile } from './tray.ts'

/** What a chip says beside the size. */
export interface ChipNote {
  text: string
  tone: 'plain' | 'ok' | 'bad'
}

export function chipNote(file: TrayFile): ChipNote {
  switch (file.status) {
    case 'waiting':
      return { text: 'waiting', tone: 'plain' }
    case 'uploading':
      return { text: `uploading ${Math.floor(file.progress * 100)} %`, tone: 'plain' }
    case 'checking':
      return { text: 'checking', tone: 'plain' }
    case 'failed':
      return { text: file.error ?? 'could not be uploaded', tone: 'bad' }
    case 'ready':
      // DEC-112: said before it is sent
      return isUnread(file)
        ? { text: 'attached, content is not read', tone: 'plain' }
        : { text: 'ready', tone: 'ok' }
  }
}
