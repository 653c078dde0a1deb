import { t } from '@lingui/core/macro'
import { ChevronDown, CloudDownload, FolderUp, MonitorUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { hasErrorName } from '../../../lib/api/api-errors.ts'
import { loadFolderCode } from './load-folder-code.ts'
import type { ChosenFile } from './upload-queue.ts'

const DriveDialog = lazyComponent(() => import('./drive-dialog.tsx'), 'DriveDialog')

/** Whether the browser can choose folders. */
const canAttachFolder = () => 'webkitdirectory' in HTMLInputElement.prototype

/** Whether the browser can capture the screen. Those of phones cannot. */
const canTakeScreenshot = () => 'getDisplayMedia' in (navigator.mediaDevices ?? {})

/** The menu of other ways to attach: files of the connected Google Drive and, where the browser can, a folder or a picture of the screen. */
export function AttachMenu({
  onFiles,
}: {
  /** @returns whether all were attached */
  onFiles: (files: readonly ChosenFile[]) => boolean
}) {
  const [isDriveOpen, setIsDriveOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const mayUseDrive = useToolsAllowed() !== 'none'
  const attachChosenFolder = async (files: readonly File[]) => {
    const code = await loadFolderCode()
    code?.attachFolder(
      files.map((file) => ({ path: file.webkitRelativePath, file })),
      onFiles,
    )
  }
  const attachScreenshot = async () => {
    try {
      onFiles([await takeScreenshot()])
    } catch (error) {
      // the user has decided against it
      if (hasErrorName(error, 'NotAllowedError')) return
      showToast('error', t`No screenshot was taken`, {
        description: t`The browser could not read the screen. Save a screenshot as a file and attach that.`,
        cause: error,
      })
    }
  }
  if (!mayUseDrive && !canAttachFolder() && !canTakeScreenshot()) return null
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            label={t`More to attach`}
            tooltip={false}
            icon={<ChevronDown size={14} />}
            size="narrow"
          />
        </MenuTrigger>
        <MenuContent align="start" side="top">
          {canAttachFolder() && (
            <MenuItem icon={<FolderUp aria-hidden size={16} />} onSelect={() => input.current?.click()}>
              {t`Attach a folder`}
            </MenuItem>
          )}
          {canTakeScreenshot() && (
            <MenuItem icon={<MonitorUp aria-hidden size={16} />} onSelect={() => void attachScreenshot()}>
              {t`Take a screenshot`}
            </MenuItem>
          )}
          {mayUseDrive && (
            <MenuItem icon={<CloudDownload aria-hidden size={16} />} onSelect={() => setIsDriveOpen(true)}>
              {t`Attach from Google Drive`}
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {isDriveOpen && <DriveDialog onFiles={onFiles} onClose={() => setIsDriveOpen(false)} />}
      <input
        ref={input}
        type="file"
        // chooses a folder; spread, because React's types do not know it
        {...{ webkitdirectory: '' }}
        hidden
        aria-label={t`Folder to attach`}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // the same folder can be chosen again
          currentTarget.value = ''
          void attachChosenFolder(files)
        }}
      />
    </>
  )
}

/** Takes one picture of what the user chooses to show. @throws NotAllowedError if the user chooses nothing */
async function takeScreenshot(): Promise<File> {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: true })
  try {
    const video = document.createElement('video')
    video.muted = true
    video.srcObject = stream
    await video.play()
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')?.drawImage(video, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!blob) throw new Error('the canvas gave no picture')
    // not every system allows a colon in the name of a file
    const time = new Date().toLocaleTimeString('en-GB').replaceAll(':', '.')
    return new File([blob], `${t`Screenshot`} ${time}.png`, { type: 'image/png' })
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
