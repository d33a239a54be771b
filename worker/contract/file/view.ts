export interface ItemFile {
  fileId: string;
  fileName: string;
  size: number;
  contentType: string;
  url: string;
}

/** A picture of an item's text, in pixels as it is shown. */
export interface PicturePlace {
  fileId: string;
  width: number;
  height: number;
  isAnimated: boolean;
}

export interface UploadTicket {
  fileId: string;
  uploadUrl: string;
  expiresDate: string;
}
