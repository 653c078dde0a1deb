import type { ImageModel, ImageModelSettings } from './model/image-model.ts'

/** The image model, whose code is loaded with the first picture: most replies draw none. */
export const imageModelWhenUsed = (settings: ImageModelSettings): ImageModel => ({
  async make(prompt, signal) {
    const { openImageModel } = await import('./model/image-model.ts')
    return openImageModel(settings).make(prompt, signal)
  },
})
