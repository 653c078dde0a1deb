export const noFile = 'What you dropped has no file that can be read'
export const chooseFileInstead = 'Save it as a file and attach that.'
