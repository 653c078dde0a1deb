export const noFolders = 'Folders cannot be attached'
export const dropFilesInstead = 'Open the folder and drop its files.'
export const noFile = 'What you dropped has no file that can be read'
export const chooseFileInstead = 'Save it as a file and attach that.'
