import { useSyncExternalStore } from 'react'
import type { Tray, TrayFile } from './tray.ts'

/** The files of a draft as they stand. */
export function useTray({ subscribe, getFiles }: Tray): readonly TrayFile[] {
  return useSyncExternalStore(subscribe, getFiles)
}
