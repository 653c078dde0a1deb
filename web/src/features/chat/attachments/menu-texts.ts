// attach-menu
export const more = 'More to attach'
export const attachFolder = 'Attach a folder'
export const folderToAttach = 'Folder to attach'
export const notLoaded = 'The folder could not be attached'
export const notLoadedHint = 'A part of the page could not be loaded. Reload the page and try again.'
export const takeScreenshot = 'Take a screenshot'
export const screenshotFailed = 'No screenshot was taken'
export const screenshotHint =
  'The browser could not read the screen. Save a screenshot as a file and attach that.'
export const screenshot = 'Screenshot'
