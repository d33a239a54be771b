export interface ItemFile {
  fileId: string;
  fileName: string;
  size: number;
  contentType: string;
  url: string;
}

/** Displayed size in pixels. */
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
