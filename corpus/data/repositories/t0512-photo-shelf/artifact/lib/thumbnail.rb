# frozen_string_literal: true

# A smaller version of one photo, as JPEG bytes.
class Thumbnail
  def initialize(path)
    @path = path
  end

  def render(size)
    jpeg = `convert '#{@path}' -resize #{size} jpg:-`
    raise "convert failed" unless $?.success?

    jpeg
  end
end
