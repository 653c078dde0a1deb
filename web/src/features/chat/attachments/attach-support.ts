/** Whether the browser can choose folders; its input element does not tell in types. */
export const canAttachFolder = () => 'webkitdirectory' in HTMLInputElement.prototype

/** Whether the browser can show the page what is on the screen: not on phones. */
export const canTakeScreenshot = () => 'getDisplayMedia' in (navigator.mediaDevices ?? {})
