import { t } from '@lingui/core/macro'

// attach-menu
export const more = t`More to attach`
export const attachFromDrive = t`Attach from Google Drive`
export const attachFolder = t`Attach a folder`
export const folderToAttach = t`Folder to attach`
export const notLoaded = t`The folder could not be attached`
export const notLoadedHint = t`A part of the page could not be loaded. Reload the page and try again.`
export const takeScreenshot = t`Take a screenshot`
export const screenshotFailed = t`No screenshot was taken`
export const screenshotHint = t`The browser could not read the screen. Save a screenshot as a file and attach that.`
export const screenshot = t`Screenshot`
