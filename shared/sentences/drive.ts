/** Errors of attaching files from Google Drive. */
export const driveSentences = {
  'drive_unavailable.not_connected': 'Google Drive is not connected.',
  'drive_unavailable.reconnect': 'Google Drive has to be connected again. You can do that under "Tools".',
  'drive_no_file.kind': 'Google Drive has no file for this.',
  'drive_no_file.empty': 'This file is empty.',
  'file_too_large.drive':
    'This file is too large. From Google Drive files of at most {megabytes} MB can be attached.',
  'drive_failed.unexpected': 'Google Drive answered in an unexpected format.',
  'drive_failed.late': 'Google Drive did not answer in time.',
  'drive_failed.refused': '{why}',
} as const
