"""The integrity screen: figures for officials, and what addresses people share."""
